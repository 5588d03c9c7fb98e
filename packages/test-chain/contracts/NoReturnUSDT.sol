// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// Test money in the form of main-net USDT: `transfer` and similar functions return nothing, and the owner can pause
/// the token and blacklist an address. Anyone can mint it, because it is worth nothing.
contract NoReturnUSDT {
    string public constant name = "Test Tether USD";
    string public constant symbol = "USDT";
    uint8 public constant decimals = 6;

    address public immutable owner;
    bool public paused;
    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;
    mapping(address => bool) public isBlackListed;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    modifier onlyOwner() {
        require(msg.sender == owner, "only the owner");
        _;
    }

    constructor() {
        owner = msg.sender;
    }

    function mint(address to, uint256 value) external {
        totalSupply += value;
        balanceOf[to] += value;
        emit Transfer(address(0), to, value);
    }

    function transfer(address to, uint256 value) external {
        _move(msg.sender, to, value);
    }

    /// Several transfers in one transaction, as payment services make them.
    function transferMany(address[] calldata to, uint256[] calldata values) external {
        require(to.length == values.length, "one value for each receiver");
        for (uint256 index = 0; index < to.length; index++) {
            _move(msg.sender, to[index], values[index]);
        }
    }

    function transferFrom(address from, address to, uint256 value) external {
        uint256 allowed = allowance[from][msg.sender];
        require(allowed >= value, "allowance");
        if (allowed != type(uint256).max) allowance[from][msg.sender] = allowed - value;
        _move(from, to, value);
    }

    function approve(address spender, uint256 value) external {
        // As on main net, an allowance must be set to zero before it can be set again.
        require(value == 0 || allowance[msg.sender][spender] == 0, "allowance is set");
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
    }

    function pause() external onlyOwner {
        paused = true;
    }

    function unpause() external onlyOwner {
        paused = false;
    }

    function addBlackList(address account) external onlyOwner {
        isBlackListed[account] = true;
    }

    function removeBlackList(address account) external onlyOwner {
        isBlackListed[account] = false;
    }

    function _move(address from, address to, uint256 value) private {
        require(!paused, "paused");
        require(!isBlackListed[from], "blacklisted");
        require(balanceOf[from] >= value, "balance");
        balanceOf[from] -= value;
        balanceOf[to] += value;
        emit Transfer(from, to, value);
    }
}
